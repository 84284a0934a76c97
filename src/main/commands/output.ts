/** Where an operating command writes: results to standard output, everything for people to standard error. */
export interface Output {
  print(text: string): void;
  /** One JSON object a line. */
  json(value: object): void;
  note(line: string): void;
  /** Notes the reason and returns the exit code. */
  fail(reason: string): 1;
}

export const STANDARD_OUTPUT: Output = {
  print: (text) => process.stdout.write(`${text}\n`),
  json: (value) => process.stdout.write(`${JSON.stringify(value)}\n`),
  note: (line) => process.stderr.write(`${line}\n`),
  fail: (reason) => {
    process.stderr.write(`assay: ${reason}\n`);
    return 1;
  },
};

/** What an unexpected fault tells the user. */
export function faultText(fault: unknown): string {
  return fault instanceof Error ? fault.message : 'unexpected failure';
}
