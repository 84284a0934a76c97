import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** What the sandbox needs of a contract: the code that lies on the chain, and how to call it. */
export interface Artifact {
  readonly contract: string;
  readonly compiler: string;
  readonly abi: readonly unknown[];
  readonly code: string;
}

export const CONTRACTS = ['Usdc3009', 'Multicall3', 'ContractWallet'] as const;

// Without the trailing metadata the same source gives the same bytes, whatever the folder is called.
const SETTINGS = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 200 },
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
  outputSelection: { '*': { '*': ['abi', 'evm.deployedBytecode.object'] } },
};

const output = z.object({
  errors: z.array(z.object({ formattedMessage: z.string() })).default([]),
  contracts: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        abi: z.array(z.unknown()),
        evm: z.object({ deployedBytecode: z.object({ object: z.string().regex(/^[0-9a-f]*$/) }) }),
      }),
    ),
  ),
});

/** Compiles every contract of `contracts/`. A warning is an error: these are small enough to have none. */
export async function compileContracts(): Promise<readonly Artifact[]> {
  // Loaded late: the compiler is nine megabytes, and only those who ask for it should wait.
  const { default: solc } = await import('solc');
  const sources = Object.fromEntries(
    CONTRACTS.map((name) => [name, { content: readFileSync(`contracts/${name}.sol`, 'utf8') }]),
  );
  const input = JSON.stringify({ language: 'Solidity', sources, settings: SETTINGS });
  const { errors, contracts } = output.parse(JSON.parse(solc.compile(input)));
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
  return CONTRACTS.map((contract) => {
    const compiled = contracts[contract]?.[contract];
    if (compiled === undefined) throw new Error(`contracts/${contract}.sol has no contract ${contract}`);
    const { abi, evm } = compiled;
    return { contract, compiler: solc.version(), abi, code: `0x${evm.deployedBytecode.object}` };
  });
}
