/** Style of the HTML report. */
export const pageStyle = `
:root { color-scheme: light dark; --line: #8886; --soft: #8881; --good: #1a7f37; --bad: #c62828; --warn: #b26a00; --dim: #777; }
@media (prefers-color-scheme: dark) { :root { --good: #57c274; --bad: #ff7b72; --warn: #e3b341; --dim: #999; } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 1100px; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
code, pre, .arrow { font-family: ui-monospace, monospace; font-size: 12.5px; }
.sub { color: var(--dim); }
.totals { display: flex; gap: 1.25rem; flex-wrap: wrap; margin: 1rem 0; }
.total b { font-size: 1.4rem; display: block; line-height: 1.1; }
.passed { color: var(--good); } .failed, .broken { color: var(--bad); } .warned { color: var(--warn); } .skipped { color: var(--dim); }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid var(--line); }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
.filters { display: flex; gap: .75rem; flex-wrap: wrap; margin: 1rem 0; }
.filters input[type=search] { flex: 1; min-width: 12rem; padding: .3rem .5rem; }
details.case { border: 1px solid var(--line); border-radius: 6px; margin: .4rem 0; }
details.case > summary { padding: .4rem .7rem; cursor: pointer; display: flex; gap: .75rem; align-items: baseline; }
details.case > summary .title { flex: 1; }
details.case > summary .ids { color: var(--dim); font-size: 12.5px; }
details.case > summary::before { content: "▸"; color: var(--dim); }
details.case[open] > summary::before { content: "▾"; }
.body { padding: .25rem .9rem .9rem; }
.fault { border-left: 3px solid var(--bad); padding: .3rem .8rem; background: var(--soft); overflow-wrap: anywhere; }
.sequence { display: grid; grid-template-columns: 5.5rem repeat(3, 1fr); margin-top: .8rem; position: relative; }
.sequence .head { font-weight: 600; text-align: center; border-bottom: 1px solid var(--line); padding-bottom: .2rem; }
.sequence .time { grid-column: 1; color: var(--dim); text-align: right; padding-right: .8rem; font-size: 12.5px; font-variant-numeric: tabular-nums; }
.sequence .note { grid-column: 2 / 5; color: var(--dim); font-size: 12.5px; text-align: center; border-bottom: 1px dotted var(--line); }
.sequence .step { grid-column: 2 / 5; font-size: 12.5px; background: var(--soft); padding: 0 .5rem; overflow-wrap: anywhere; }
.arrow { margin: .2rem 16.66%; text-align: center; }
.arrow summary { list-style: none; cursor: pointer; padding: 0 .8rem; border-bottom: 1px solid currentColor; position: relative; }
.arrow summary span { display: block; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.arrow.leftside { grid-column: 2 / 4; margin-inline: 25%; }
.arrow.rightside { grid-column: 3 / 5; margin-inline: 25%; }
.arrow.right summary::after, .arrow.left summary::after { content: ""; position: absolute; bottom: -5px; border: 5px solid transparent; }
.arrow.right summary::after { right: -2px; border-left-color: currentColor; border-right-width: 0; }
.arrow.left summary::after { left: -2px; border-right-color: currentColor; border-left-width: 0; }
.arrow.marked { color: var(--bad); font-weight: 600; }
.arrow pre { text-align: left; white-space: pre-wrap; overflow-wrap: anywhere; margin: .3rem -20%; padding: .5rem; background: var(--soft); font-weight: 400; max-height: 24rem; overflow: auto; }
@media (max-width: 40rem) { .sequence { grid-template-columns: 3.5rem repeat(3, 1fr); } .arrow { margin-inline: 4%; } }
`;
