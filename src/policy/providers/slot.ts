import { errors } from "../../generated/contract/errors.js";

/** The one slot there is, and the protocol that it takes (PROV-01). */
export const slot = { providerId: "openai", apiType: "openai" } as const;

export function requireSlot(providerId: string): void {
  if (providerId !== slot.providerId) throw errors.providerUnknown({ providerId });
}
