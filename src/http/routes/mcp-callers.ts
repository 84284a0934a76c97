/** Who may call /mcp from a browser, and under which names the service may be called there. */
export interface McpPolicy {
  /** All public addresses, the base address first. */
  readonly addresses: readonly string[];
  /** Web addresses whose pages may call; '*' lets every page. */
  readonly origins: readonly string[];
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * A page of a stranger that has pointed its own name at this machine would otherwise reach a service that listens here only
 * (DNS rebinding): its requests carry that name in Host, and the page's address in Origin.
 */
export function mcpCallers({ addresses, origins }: McpPolicy) {
  const own = new Set(addresses.map((address) => new URL(address).hostname));
  const isLocal = addresses.some((address) => LOOPBACK.has(new URL(address).hostname));
  const allowed = new Set([...addresses, ...origins]);
  return {
    knowsHost(host: string | null): boolean {
      const name = hostnameOf(`http://${host}`);
      return name !== null && (own.has(name) || LOOPBACK.has(name));
    },
    allowsOrigin(origin: string | null): boolean {
      if (origin === null || allowed.has('*') || allowed.has(origin.toLowerCase())) return true;
      const name = hostnameOf(origin);
      return isLocal && name !== null && LOOPBACK.has(name);
    },
  };
}

function hostnameOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).hostname : null;
}
