/** One way to add the server to a client. */
export interface Setup {
  /** The file to edit, or the place to go. */
  readonly where: string;
  readonly text: string;
}

export interface ClientSetup {
  readonly client: string;
  /** This service, over Streamable HTTP. */
  readonly remote: Setup;
  /** A process on the user's machine, over stdio. */
  readonly local: Setup;
}

/** Not npx, which outside of a checkout would fetch whatever has this name in a registry. */
const STDIO = { command: 'assay', args: ['mcp'] };

const CLAUDE_DESKTOP = 'claude_desktop_config.json (Settings, Developer, Edit Config)';
const CURSOR = '.cursor/mcp.json in a project, ~/.cursor/mcp.json for all';
const VS_CODE = '.vscode/mcp.json';
const WINDSURF = '~/.codeium/windsurf/mcp_config.json';

/** How to configure the usual clients for the MCP server at this address, in the format that each of them reads. */
export function clientSetups(base: string): readonly ClientSetup[] {
  const url = `${base}/mcp`;
  return [
    {
      client: 'Claude Code',
      remote: { where: 'In a shell', text: `claude mcp add --transport http assay ${url}` },
      local: { where: 'In a shell', text: 'claude mcp add assay -- assay mcp' },
    },
    {
      client: 'Claude Desktop',
      // Its file is for processes only; it takes addresses in its settings, and only public ones with TLS.
      remote: {
        where: 'Settings, Connectors, Add custom connector (a public address with https)',
        text: url,
      },
      local: inFile(CLAUDE_DESKTOP, { mcpServers: { assay: STDIO } }),
    },
    {
      client: 'Cursor',
      remote: inFile(CURSOR, { mcpServers: { assay: { url } } }),
      local: inFile(CURSOR, { mcpServers: { assay: STDIO } }),
    },
    {
      client: 'VS Code',
      remote: inFile(VS_CODE, { servers: { assay: { type: 'http', url } } }),
      local: inFile(VS_CODE, { servers: { assay: { type: 'stdio', ...STDIO } } }),
    },
    {
      client: 'Windsurf',
      remote: inFile(WINDSURF, { mcpServers: { assay: { serverUrl: url } } }),
      local: inFile(WINDSURF, { mcpServers: { assay: STDIO } }),
    },
  ];
}

function inFile(where: string, content: object): Setup {
  return { where, text: JSON.stringify(content, null, 2).replace(/\[\s+"mcp"\s+\]/, '["mcp"]') };
}
