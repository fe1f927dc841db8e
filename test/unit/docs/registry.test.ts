import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { repository } from "../../support/places.js";

const folder = join(repository, "docs/registry/codex-acp-kit");
const entry: unknown = JSON.parse(readFileSync(join(folder, "agent.json"), "utf8"));
const { name, version, license }: Record<string, string> = JSON.parse(
  readFileSync(join(repository, "package.json"), "utf8"),
);

/**
 * What https://cdn.agentclientprotocol.com/registry/v1/latest/agent.schema.json asks of an entry with a package of npm,
 * and no more than this entry has. All entries but one old one need `license_url`; `distribution` takes no other names.
 */
const asked = {
  type: "object",
  required: ["id", "name", "version", "description", "license_url", "distribution"],
  properties: {
    id: { type: "string", pattern: "^[a-z][a-z0-9-]*$" },
    name: { type: "string", minLength: 1 },
    version: { type: "string", pattern: "^[0-9]+\\.[0-9]+\\.[0-9]+$" },
    description: { type: "string", minLength: 1 },
    license: { type: "string" },
    license_url: { type: "string", pattern: "^https://" },
    distribution: {
      type: "object",
      required: ["npx"],
      properties: {
        npx: {
          type: "object",
          required: ["package"],
          properties: { package: { type: "string", minLength: 1 } },
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};

test("the entry for the agent registry is as the registry asks, and of this version", () => {
  const validate = new Ajv({ allErrors: true }).compile(asked);
  validate(entry);
  expect(validate.errors).toBeNull();
  expect(entry).toMatchObject({ id: name, version, license, distribution: { npx: { package: `${name}@${version}` } } });
});

test("its icon is a square of 16 in the colour of its place", () => {
  const icon = readFileSync(join(folder, "icon.svg"), "utf8");
  expect(icon).toMatch(/<svg [^>]*width="16" height="16" viewBox="0 0 16 16"/);
  expect(icon).toContain("currentColor");
  expect(icon).not.toMatch(/#[0-9a-f]{3,6}\b|rgb\(/i);
});
