/** The tokens that @x402/fetch pays with unless it is told otherwise: network, contract, decimals. A test compares them. */
export const DEFAULT_ASSETS: readonly (readonly [network: string, asset: string, decimals: number])[] = [
  ['eip155:8453', '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', 6],
  ['eip155:84532', '0x036cbd53842c5426634e7929541ec2318f3dcf7e', 6],
  ['eip155:1', '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', 6],
  ['eip155:43114', '0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e', 6],
  ['eip155:4326', '0xfafddbb3fc7688494971a79cc65dca3ef82079e7', 18],
  ['eip155:143', '0x754704bc059f8c67012fed69bc8a327a5aafb603', 6],
  ['eip155:988', '0x779ded0c9e1022225f8e0630b35a9b54be713736', 6],
  ['eip155:2201', '0x78cf24370174180738c5b8e352b6d14c83a6c9a9', 6],
  ['eip155:137', '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359', 6],
  ['eip155:42161', '0xaf88d065e77c8cc2239327c5edb3a432268e5831', 6],
  ['eip155:421614', '0x75faf114eafb1bdbe2f0316df893fd58ce46aa4d', 6],
  ['eip155:31612', '0xdd468a1ddc392dcdbef6db6e34e89aa338f9f186', 18],
  ['eip155:31611', '0x118917a40faf1cd7a13db0ef56c86de7973ac503', 18],
  ['eip155:723487', '0x33ad9e4bd16b69b5bfded37d8b5d9ff9aba014fb', 6],
  ['eip155:72344', '0x33ad9e4bd16b69b5bfded37d8b5d9ff9aba014fb', 6],
  ['eip155:36900', '0x9cb8142aebbcdc60af7c97af897a67a8f3ca71c2', 6],
  ['eip155:190415', '0x401ecb1d350407f13ba348573e5630b83638e30d', 6],
  ['eip155:181228', '0x401ecb1d350407f13ba348573e5630b83638e30d', 6],
  ['eip155:50', '0xfa2958cb79b0491cc627c1557f441ef849ca8eb1', 6],
  ['eip155:51', '0xb5ab69f7bbada22b28e79c8ffaece55ef1c771d4', 6],
  ['eip155:38833', '0xa5b8bf902b2844da17d4506cc827f7f1681735e7', 6],
  ['eip155:14', '0xe7cd86e13ac4309349f30b3435a9d337750fc82d', 6],
  ['eip155:42220', '0xceba9300f2b948710d2653dd7b07f33a8b32118c', 6],
  ['eip155:42220', '0x48065fbbe25f71c9282ddf5e1cd6d6a887483d5e', 6],
  ['eip155:42220', '0xd2ab3c9a02dbbab236bfec45d1d755df4267f771', 6],
  ['eip155:11142220', '0x01c5c0122039549ad1493b8220cabedd739bc44e', 6],
  ['eip155:1329', '0xe15fc38f6d8c56af07bbcbe3baf5708a2bf42392', 6],
  ['eip155:1328', '0x4fcf1784b31630811181f670aea7a7bef803eaed', 6],
];

export function defaultDecimals(network: string, asset: string): number | null {
  const wanted = asset.toLowerCase();
  const found = DEFAULT_ASSETS.find(([chain, contract]) => chain === network && contract === wanted);
  return found?.[2] ?? null;
}
