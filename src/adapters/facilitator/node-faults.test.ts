import {
  CallExecutionError,
  ContractFunctionExecutionError,
  ContractFunctionZeroDataError,
  HttpRequestError,
  parseAbi,
  RpcRequestError,
  TimeoutError,
} from 'viem';
import { describe, expect, it } from 'vitest';
import { isNodeFault } from './node-faults.ts';

const url = 'http://node.example';
const answered = (code: number, message: string) =>
  new RpcRequestError({ body: {}, url, error: { code, message } });
const abi = parseAbi(['function f()']);

describe('a fault of the node', () => {
  it.each<[string, Error, boolean]>([
    ['a revert by its code', answered(3, 'VM says no'), false],
    ['a revert by its word', answered(-32_000, 'execution reverted: no'), false],
    ['a revert in the words of another client', answered(-32_015, 'Reverted 0x08c379a0'), false],
    ['a limit', answered(-32_005, 'limit exceeded'), true],
    ['trouble inside', answered(-32_603, 'internal error'), true],
    [
      'an empty account that should pay',
      answered(-32_000, 'insufficient funds for gas * price + value'),
      true,
    ],
    ['no connection', new HttpRequestError({ url, details: 'fetch failed' }), true],
    ['a 429', new HttpRequestError({ url, status: 429 }), true],
    ['no answer in time', new TimeoutError({ body: {}, url }), true],
    ['an account without code', new ContractFunctionZeroDataError({ functionName: 'f' }), false],
    ['something else', new Error('execution reverted'), true],
  ])('is or is not %s', (_, error, isFault) => {
    expect(isNodeFault(error)).toBe(isFault);
  });

  it('is found behind the errors that wrap it', () => {
    const wrap = (cause: RpcRequestError) =>
      new ContractFunctionExecutionError(new CallExecutionError(cause, {}), { abi, functionName: 'f' });
    expect(isNodeFault(wrap(answered(3, 'no')))).toBe(false);
    expect(isNodeFault(wrap(answered(-32_603, 'internal error')))).toBe(true);
  });
});
