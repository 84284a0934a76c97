/** Something that must never happen, with what shows that it did. */
export interface Violation {
  readonly rule: string;
  readonly evidence: string;
}

export function violation(rule: string, evidence: object): Violation {
  const text = JSON.stringify(evidence, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  return { rule, evidence: text.slice(0, EVIDENCE_MAX_CHARS) };
}

const EVIDENCE_MAX_CHARS = 1_000;
