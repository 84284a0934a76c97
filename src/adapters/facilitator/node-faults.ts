import { BaseError, ContractFunctionZeroDataError, RpcRequestError } from 'viem';

const EXECUTION_REVERTED = 3;

/** True when the node is unreachable; false when the contract reverted. */
export function isNodeFault(error: unknown): boolean {
  if (causeOf(error, ContractFunctionZeroDataError) !== null) return false;
  const answered = causeOf(error, RpcRequestError);
  if (answered === null) return true;
  // Nodes agree on this word more than on the code.
  return answered.code !== EXECUTION_REVERTED && !/revert/i.test(answered.details);
}

/** The first cause of this class. */
export function causeOf<T extends Error>(error: unknown, kind: new (...args: never[]) => T): T | null {
  if (!(error instanceof BaseError)) return null;
  const cause = error.walk((one) => one instanceof kind);
  return cause instanceof kind ? cause : null;
}
