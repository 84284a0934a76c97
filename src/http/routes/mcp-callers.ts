/** Origins that may call /mcp from a browser, and the allowed Host names. */
export interface McpPolicy {
  /** All public addresses, the base address first. */
  readonly addresses: readonly string[];
  /** Origins that may call; '*' for all. */
  readonly origins: readonly string[];
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Prevents DNS rebinding: a foreign page whose name resolves to this machine could otherwise call a service that listens only
 * here. Such requests carry the foreign name in Host and Origin.
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
