/** The report page's look, light and dark, on a screen and on paper. */
export const PAGE_STYLES = `
:root { color-scheme: light dark; --ink: #1c1917; --soft: #57534e; --line: #e7e5e4; --paper: #fafaf9; --card: #ffffff; --accent: #14532d; --good: #15803d; --other: #d97706; --wrong: #b91c1c; }
@media (prefers-color-scheme: dark) { :root { --ink: #f5f5f4; --soft: #a8a29e; --line: #44403c; --paper: #1c1917; --card: #292524; --accent: #86efac; --good: #4ade80; --other: #fbbf24; --wrong: #f87171; } }
* { box-sizing: border-box; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 64rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
.brand { margin: 0; color: var(--accent); font-weight: 700; }
h1 { margin: 0; font-size: 2rem; line-height: 1.2; }
h2 { margin: 2.75rem 0 0.5rem; font-size: 1.3rem; }
h3 { margin: 1.25rem 0 0.35rem; font-size: 0.95rem; }
.soft { color: var(--soft); font-weight: 400; }
.bad { color: var(--wrong); font-weight: 600; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: 0.75rem; margin-top: 1.5rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 0.9rem 1.1rem; font-size: 0.85rem; }
.card .name { font-weight: 600; }
.card .value { font-size: 1.5rem; white-space: nowrap; font-weight: 650; line-height: 1.35; font-variant-numeric: tabular-nums; }
table { border-collapse: collapse; width: 100%; font-size: 0.88rem; }
th, td { text-align: left; padding: 0.32rem 0.9rem 0.32rem 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
thead th { color: var(--soft); font-weight: 600; overflow-wrap: normal; }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.total td { font-weight: 600; }
.figures th.number { white-space: normal; }
.figures td.number { white-space: pre; }
.wide { overflow-x: auto; }
.confusion .cell { padding: 0.5rem 0.9rem; }
.confusion th { padding-left: 0.9rem; }
.confusion th:first-child { padding-left: 0; font-weight: 600; }
.strata .bar { width: 30%; vertical-align: middle; }
.bar div { display: flex; height: 0.7rem; border-radius: 4px; overflow: hidden; background: var(--line); }
.bar .good, .key.good { background: var(--good); }
.bar .other, .key.other { background: var(--other); }
.bar .wrong, .key.wrong { background: var(--wrong); }
.legend { color: var(--soft); font-size: 0.85rem; }
.key { display: inline-block; width: 0.75rem; height: 0.75rem; border-radius: 3px; margin: 0 0.35rem 0 0.9rem; vertical-align: -1px; }
.key:first-child { margin-left: 0; }
.beside { display: flex; flex-wrap: wrap; gap: 1.5rem 3rem; align-items: flex-start; }
.beside table { flex: 1 1 18rem; width: auto; margin-top: 0.5rem; }
.plot { display: block; flex: 1 1 20rem; max-width: 30rem; }
.plot .grid { stroke: var(--line); }
.plot .ideal { stroke: var(--soft); stroke-dasharray: 5 5; }
.plot .gap { stroke: var(--other); stroke-width: 2; }
.plot .dot { fill: var(--accent); fill-opacity: 0.75; stroke: var(--paper); }
.plot .count { fill: var(--soft); fill-opacity: 0.35; }
.plot .tick { fill: var(--soft); font-size: 11px; }
.plot .axis { fill: var(--ink); font-size: 12px; }
.mistake { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 0.8rem 1.1rem; margin: 0.75rem 0; }
.mistake summary { cursor: pointer; }
.flag { background: var(--wrong); color: var(--card); border-radius: 5px; padding: 0.05rem 0.45rem; font-size: 0.75rem; font-weight: 700; }
dl { display: grid; grid-template-columns: 6rem 1fr; gap: 0.15rem 0.75rem; margin: 0.6rem 0; font-size: 0.9rem; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
blockquote { margin: 0.4rem 0; padding: 0.2rem 0.9rem; border-left: 3px solid var(--good); font-size: 0.88rem; }
blockquote.against { border-color: var(--wrong); }
blockquote p { margin: 0; }
blockquote footer { color: var(--soft); font-size: 0.8rem; overflow-wrap: anywhere; }
.urls { margin: 0; padding: 0; list-style: none; font: 0.8rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { overflow-x: auto; font-size: 0.78rem; }
@media (max-width: 40rem) { .strata .bar { display: none; } .strata thead th:nth-child(5) { display: none; } }
@media print { :root { color-scheme: light; --ink: #1c1917; --soft: #57534e; --line: #d6d3d1; --paper: #ffffff; --card: #ffffff; --accent: #14532d; --good: #15803d; --other: #d97706; --wrong: #b91c1c; } body { font-size: 11px; } main { max-width: none; padding: 0; } .card, tr, blockquote, .plot { break-inside: avoid; } h2, h3, summary { break-after: avoid; } }
`
