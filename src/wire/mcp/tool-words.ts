/** Every tool of /mcp in one sentence, for people; models read the longer descriptions of the tools themselves. */
export const TOOL_WORDS = {
  search_catalog: 'Browses the x402 services that Assay knows, without a ranking.',
  get_service: 'Shows one service: its listing, its last unpaid check and our own paid calls.',
  lookup: 'Ranks the services for a task by the pass rate of our own paid calls.',
  get_overnight_cos_pack: 'Sells a pack of files for an overnight agent.',
  endpoint_spot_check: 'Sends one unpaid request to an endpoint and answers pay, skip or recheck.',
  get_receipt: 'Reads a public receipt by its id, or everything public about a URL.',
} as const satisfies Readonly<Record<string, string>>;
