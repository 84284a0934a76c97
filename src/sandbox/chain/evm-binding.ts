import { createRequire } from 'node:module';

/** The part of Nomic's EDR that we use; the platform packages come without types. */
export interface EvmBinding {
  readonly EdrContext: new () => EvmContext;
  readonly ContractDecoder: new () => object;
  readonly OP_CHAIN_TYPE: string;
  readonly MineOrdering: { readonly Priority: unknown };
  opProviderFactory(): object;
  opLatestHardfork(): unknown;
  opHardforkToString(hardfork: unknown): string;
  opGenesisState(hardfork: unknown): readonly object[];
}

export interface EvmContext {
  registerProviderFactory(chainType: string, factory: object): Promise<void>;
  createProvider(
    chainType: string,
    config: object,
    logger: object,
    subscriptions: object,
    decoder: object,
  ): Promise<EvmProvider>;
}

export interface EvmProvider {
  /** A JSON-RPC request as text; `data` is `{result}` or `{error}`, as text or already parsed. */
  handleRequest(request: string): Promise<{ readonly data: unknown }>;
}

export interface BindingSource {
  readonly platform: string;
  readonly arch: string;
  load(name: string): unknown;
}

const HERE: BindingSource = {
  platform: process.platform,
  arch: process.arch,
  load: createRequire(import.meta.url),
};

/** The release that the sandbox is tested with; `tools/chain/` installs it in a checkout. */
const RELEASE = '0.13.0';

const SUFFIX: Readonly<Record<string, string>> = { linux: '-gnu', win32: '-msvc' };

/** revm, compiled for this machine. */
export function loadEvmBinding({ platform, arch, load }: BindingSource = HERE): EvmBinding {
  const name = `@nomicfoundation/edr-${platform}-${arch}${SUFFIX[platform] ?? ''}`;
  try {
    const binding = load(name);
    if (isEvmBinding(binding)) return binding;
  } catch (cause) {
    throw new Error(`the sandbox needs a package that is not installed: npm install ${name}@${RELEASE}`, {
      cause,
    });
  }
  throw new Error(`the package ${name} is not the one that the sandbox knows`);
}

function isEvmBinding(binding: unknown): binding is EvmBinding {
  return (
    typeof binding === 'object' &&
    binding !== null &&
    ['EdrContext', 'ContractDecoder', 'opProviderFactory', 'opGenesisState'].every((key) => key in binding)
  );
}
