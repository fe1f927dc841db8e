/** Script of the HTML report. It puts text in as text, so nothing that an agent sends can become markup. */
export const pageScript = `
"use strict";
const { report, clauses } = JSON.parse(document.getElementById("data").textContent);
const clauseText = new Map(clauses.map((one) => [one.id, one]));
const parties = report.suite.actors.map(({ party }) => party);
const leftWire = parties[0];
const statuses = ["passed", "failed", "warned", "skipped", "broken"];
const make = (name, options = {}, ...children) => {
  const { className, text, ...attributes } = options;
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};
const label = (frame) => {
  if (frame === null || typeof frame !== "object") return String(frame);
  if (frame.method === "session/update") return "session/update " + (frame.params?.update?.sessionUpdate ?? "") + (frame.params?.update?.state ? " " + frame.params.update.state : "");
  if (frame.method) return frame.method + ("id" in frame ? " #" + frame.id : "");
  return ("error" in frame ? "error " + frame.error?.code + " to #" : "result of #") + frame.id;
};
const arrow = (entry, marked) => {
  const at = parties.indexOf(entry.from);
  const onLeft = at === 0 || (at === 1 && entry.wire === leftWire);
  const right = at === (onLeft ? 0 : 1);
  const classes = ["arrow", onLeft ? "leftside" : "rightside", right ? "right" : "left", marked ? "marked" : ""].join(" ");
  const box = make("details", { className: classes }, make("summary", { title: label(entry.frame) }, make("span", { text: label(entry.frame) })));
  box.addEventListener("toggle", () => {
    if (box.open && box.children.length === 1) box.append(make("pre", { text: typeof entry.frame === "string" ? entry.frame : JSON.stringify(entry.frame, null, 2) }));
  });
  return box;
};
const sequence = (result) => {
  const grid = make("div", { className: "sequence" }, make("span"), ...report.suite.actors.map(({ name }) => make("span", { className: "head", text: name })));
  for (const entry of result.entries) {
    grid.append(make("span", { className: "time", text: entry.at + " ms" }));
    if (entry.note !== undefined) grid.append(make("span", { className: entry.note.startsWith("step ") ? "step" : "note", text: entry.note }));
    else grid.append(arrow(entry, result.fault && result.fault.seq === entry.seq));
  }
  return grid;
};
const fill = (body, result) => {
  for (const id of result.clauses) {
    const clause = clauseText.get(id);
    body.append(make("p", { className: "sub" }, make("b", { text: id + " " + (clause?.level ?? "") + ": " }), clause?.text ?? ""));
  }
  if (result.reason) body.append(make("p", { text: "Skipped: " + result.reason }));
  if (result.expected) body.append(make("p", { text: result.expected.list + ": " + result.expected.reason }));
  if (result.fault) {
    const box = make("div", { className: "fault" }, make("p", { text: result.fault.message }));
    for (const line of result.fault.differences) box.append(make("div", {}, make("code", { text: line })));
    if (result.fault.stepText) box.append(make("p", { className: "sub", text: "In step " + result.fault.step }), make("code", { text: result.fault.stepText }));
    body.append(box);
  }
  if (result.entries.length > 0) body.append(sequence(result));
};
const caseBox = (result) => {
  const box = make("details", { className: "case", id: result.name },
    make("summary", {}, make("b", { className: result.status, text: result.status }), make("span", { className: "title", text: result.title }), make("code", { text: result.name }), make("span", { className: "ids", text: result.clauses.join(", ") })));
  box.addEventListener("toggle", () => {
    if (!box.open || box.children.length > 1) return;
    const body = make("div", { className: "body" });
    fill(body, result);
    box.append(body);
  });
  return box;
};
const main = document.getElementById("report");
main.replaceChildren(
  make("h1", { text: report.subject.name + " " + report.subject.version }),
  make("p", { className: "sub", text: report.subject.command.join(" ") + " · " + report.startedAt + " · " + (report.ms / 1000).toFixed(1) + " s · suite " + report.suite.version + ", " + report.suite.around + " · exit code " + report.exitCode }),
  make("div", { className: "totals" }, ...statuses.filter((status) => report.totals[status] > 0).map((status) => make("span", { className: "total " + status }, make("b", { text: report.totals[status] }), status))),
);
for (const entry of report.stale) main.append(make("p", { className: "failed", text: "Stale entry: " + entry }));
const areas = [...new Set(report.results.map((one) => one.area))];
const table = make("table", {}, make("tr", {}, make("th", { text: "Area" }), ...statuses.map((text) => make("th", { className: "n", text }))));
for (const area of areas) {
  const own = report.results.filter((one) => one.area === area);
  table.append(make("tr", {}, make("td", {}, make("a", { href: "#area-" + area, text: area })), ...statuses.map((status) => {
    const count = own.filter((one) => one.status === status).length;
    return make("td", { className: "n" + (count > 0 ? " " + status : ""), text: count === 0 ? "" : count });
  })));
}
const search = make("input", { type: "search", placeholder: "Case, clause or words", "aria-label": "Search" });
const only = make("select", { "aria-label": "Status" }, ...["all", ...statuses].map((text) => make("option", { text, value: text })));
main.append(table, make("div", { className: "filters" }, search, only));
const boxes = [];
for (const area of areas) {
  const heading = make("h2", { text: area, id: "area-" + area });
  main.append(heading);
  const own = report.results.filter((one) => one.area === area).map((result) => ({ result, box: caseBox(result) }));
  for (const one of own) main.append(one.box);
  boxes.push({ heading, own });
}
const apply = () => {
  const words = search.value.toLowerCase();
  for (const { heading, own } of boxes) {
    let shown = 0;
    for (const { result, box } of own) {
      const good = (only.value === "all" || result.status === only.value) && (result.name + " " + result.clauses.join(" ") + " " + result.title).toLowerCase().includes(words);
      box.hidden = !good;
      if (good) shown += 1;
    }
    heading.hidden = shown === 0;
  }
};
search.addEventListener("input", apply);
only.addEventListener("change", apply);
const opened = decodeURIComponent(location.hash.slice(1));
const first = opened ? document.getElementById(opened) : document.querySelector("details.case .failed")?.closest("details");
if (first) { first.open = true; if (opened) first.scrollIntoView(); }
`;
