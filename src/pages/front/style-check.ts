/** The form, what is said about it, and the verdict card. */
export const CHECK_STYLE = `.lead { font-size: 1.1rem; color: var(--faint); }
.front { display: grid; gap: 0 3rem; grid-template-columns: minmax(0, 1fr); }
@media (min-width: 60rem) { .front { grid-template-columns: minmax(0, 1fr) 19rem; } }
form.check { margin: 1.25rem 0; }
label { display: block; font-weight: 600; margin-bottom: 0.25rem; }
input, select {
  font: inherit;
  width: 100%;
  padding: 0.55rem 0.7rem;
  border: 1px solid var(--faint);
  border-radius: 6px;
  background: var(--paper);
  color: var(--ink);
}
input::placeholder { color: var(--faint); opacity: 1; }
form.check > input { font-size: 1.1rem; padding: 0.7rem 0.8rem; }
[aria-invalid='true'] { border-color: var(--skip); border-width: 2px; }
.fault { display: block; color: var(--skip); font-weight: 600; margin-top: 0.25rem; }
.hint, .quota { color: var(--faint); font-size: 0.95rem; }
.fields { display: grid; gap: 0 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 9rem), 1fr)); margin-bottom: 0.5rem; }
.fields p { margin: 0.25rem 0; }
.fields .wide { grid-column: 1 / -1; }
.buttons { display: flex; flex-wrap: wrap; gap: 0.6rem; margin: 1rem 0 0.5rem; }
.progress { border: 1px solid var(--line); border-radius: 6px; background: var(--panel); padding: 0.25rem 1rem 1rem; }
.progress ol { color: var(--faint); margin: 0 0 0.75rem; padding-left: 1.25rem; }
.progress progress { width: 100%; accent-color: var(--link); }
.numbers { border: 1px solid var(--line); border-radius: 8px; padding: 0 1.1rem; margin: 1.75rem 0; align-self: start; }
.numbers h2 { margin-top: 1rem; font-size: 1.05rem; }
.numbers .figure strong { display: block; font-size: 2.4rem; line-height: 1.1; font-variant-numeric: tabular-nums; }
.numbers .figure a { text-decoration: none; color: var(--ink); }
.numbers .figure a:hover { text-decoration: underline; }
.numbers ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; font-variant-numeric: tabular-nums; }
.numbers p:last-child { color: var(--faint); font-size: 0.9rem; }
.verdicts { gap: 0.5rem 1.25rem; }
.verdicts dt { color: var(--ink); }
.notice { border: 1px solid var(--recheck); border-left-width: 6px; border-radius: 6px; background: var(--recheck-soft); padding: 0.1rem 1.1rem; margin: 1.25rem 0; }
.notice form { margin: 0; }
.card {
  display: grid;
  grid-template-columns: max-content minmax(0, 1fr);
  gap: 0 1.75rem;
  border: 1px solid currentColor;
  border-radius: 10px;
  padding: 1.1rem 1.4rem;
  margin: 1.25rem 0;
}
.card > * { color: var(--ink); }
.card .verdict { margin: 0; text-align: center; font-size: 1.6rem; letter-spacing: 0.04em; text-transform: uppercase; }
.card .verdict .icon { display: block; width: 3.2rem; height: 3.2rem; margin: 0 auto; stroke-width: 2.6; }
.card.pay { background: var(--pay-soft); }
.card.skip { background: var(--skip-soft); }
.card.recheck { background: var(--recheck-soft); }
.card.pay .verdict { color: var(--pay); }
.card.skip .verdict { color: var(--skip); }
.card.recheck .verdict { color: var(--recheck); }
.card .sentence { font-size: 1.2rem; line-height: 1.4; font-weight: 600; margin: 0 0 0.35rem; text-wrap: pretty; }
.card p { margin: 0.25rem 0; }
.card dl { margin: 0.75rem 0 0; font-size: 0.95rem; }
@media (max-width: 42rem) {
  .card { grid-template-columns: minmax(0, 1fr); gap: 0.6rem; padding: 1rem; }
  .card .verdict { display: flex; align-items: center; gap: 0.6rem; text-align: left; }
  .card .verdict .icon { width: 2.2rem; height: 2.2rem; margin: 0; }
}
`;
