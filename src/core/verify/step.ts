export type StepName = 'statement' | 'promise' | 'log' | 'witnesses' | 'memory' | 'rules' | 'views';

/** `not_checked` proves nothing, either way; `not_yet` may hold later, and is nobody's fault that could be proved. */
export type StepState = 'ok' | 'failed' | 'not_yet' | 'not_checked';

/** One thing that was verified, with a short sentence about it. */
export interface Step {
  readonly name: StepName;
  readonly state: StepState;
  readonly says: string;
}

export function step(name: StepName, state: StepState, says: string): Step {
  return { name, state, says };
}
