/** One stylesheet for all pages: system fonts, no colour that carries meaning alone, dark where the reader wants it. */
export const STYLE = `:root {
  color-scheme: light dark;
  --ink: #1c2430;
  --faint: #55606e;
  --paper: #ffffff;
  --panel: #f3f5f8;
  --line: #c9d0d9;
  --link: #0b57a8;
  --pay: #0b6b3a;
  --skip: #b3261e;
  --recheck: #7a5200;
  --pay-soft: #e5f4ea;
  --skip-soft: #fdebe9;
  --recheck-soft: #fdf3dc;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e6eaf0;
    --faint: #a4afbd;
    --paper: #12171e;
    --panel: #1b222c;
    --line: #3a4553;
    --link: #8cc2ff;
    --pay: #6fd79a;
    --skip: #ff9a90;
    --recheck: #f0c462;
    --pay-soft: #10291c;
    --skip-soft: #341917;
    --recheck-soft: #2d230d;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0 auto;
  max-width: 64rem;
  padding: 0 1rem;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif;
}
a { color: var(--link); }
a:focus-visible, summary:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
header, footer { padding: 1rem 0; color: var(--faint); }
header { display: flex; gap: 1rem; flex-wrap: wrap; border-bottom: 1px solid var(--line); }
header > a { font-weight: 700; text-decoration: none; }
nav a { margin-right: 1rem; }
footer { border-top: 1px solid var(--line); margin-top: 2rem; font-size: 0.9rem; }
h1, h2 { line-height: 1.25; }
h2 { margin-top: 2rem; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.92em; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 4px; padding: 0.75rem; overflow-x: auto; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; }
dt { color: var(--faint); }
dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
caption { text-align: left; color: var(--faint); padding: 0.25rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: 0.4rem 0.6rem 0.4rem 0; text-align: left; vertical-align: top; }
td { overflow-wrap: anywhere; }
tr:target { background: var(--panel); }
@media (max-width: 42rem) {
  table { display: block; overflow-x: auto; }
  th, td { min-width: 6rem; }
  td:first-child { min-width: 11rem; }
}
@media print {
  header nav, footer { display: none; }
}
`;
