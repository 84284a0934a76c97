const ROUNDS = 15;

/** The median of several rounds: these machines are noisy, and one slow round says nothing. */
export function medianMicros(run: () => unknown, callsPerRound: number): number {
  for (let call = 0; call < callsPerRound; call += 1) run();
  const perCall = Array.from({ length: ROUNDS }, () => {
    const start = process.hrtime.bigint();
    for (let call = 0; call < callsPerRound; call += 1) run();
    return Number(process.hrtime.bigint() - start) / 1_000 / callsPerRound;
  });
  return median(perCall);
}

export function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}

export function printTable(heads: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ');
  console.log(
    [line(heads), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n'),
  );
}
