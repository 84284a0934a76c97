/** `npm run bench [name...]`: every benchmark prints its own table and sets the exit code when a bound is broken. */
const BENCHES: Readonly<Record<string, () => Promise<unknown>>> = {
  challenge: () => import('./challenge.ts'),
  probe: () => import('./probe.ts'),
  crawl: () => import('./crawl.ts'),
  'crawl-memory': () => import('./crawl-memory.ts'),
  'probe-memory': () => import('./probe-memory.ts'),
  store: () => import('./store.ts'),
  'lookup-scale': () => import('./lookup-scale.ts'),
  'skips-scale': () => import('./skips-scale.ts'),
  http: () => import('./http.ts'),
  mcp: () => import('./mcp.ts'),
};

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(BENCHES);
for (const name of names) {
  const bench = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
  if (bench === undefined) {
    console.error(`no benchmark ${name}; there are: ${Object.keys(BENCHES).join(', ')}`);
    process.exitCode = 2;
    break;
  }
  console.log(`\n${name} (Node ${process.version}, ${process.arch})`);
  await bench();
}
