export type StepName = 'statement' | 'promise' | 'log' | 'witnesses' | 'memory' | 'rules';

/** `not_checked` proves nothing, either way. */
export type StepState = 'ok' | 'failed' | 'not_checked';

/** One thing that was verified, with a short sentence about it. */
export interface Step {
  readonly name: StepName;
  readonly state: StepState;
  readonly says: string;
}

export function step(name: StepName, state: StepState, says: string): Step {
  return { name, state, says };
}
