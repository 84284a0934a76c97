/** A tick on a dark tile: looked at and found good. */
export const FAVICON_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#1d2b3a"/>
<path d="M8 17l6 6 10-13" fill="none" stroke="#f2b134" stroke-width="4.4" stroke-linecap="round" stroke-linejoin="round"/>
</svg>
`;

/** The same drawing at 32 by 32 pixels, for clients that only request favicon.ico. */
const ICO = [
  'AAABAAEAICAAAAEAIAA6AQAAFgAAAIlQTkcNChoKAAAADUlIRFIAAAAgAAAAIAQDAAAAgVRnxwAAADBQTFRFHSs6HSs6HSs6',
  'HSs6HSs6HSs6HSs6HSs6ODw5Uk05bV04iG43on82vZA216A18rE0rDh+2gAAAAd0Uk5TACRJbZK22wj/1mIAAACySURBVHja',
  'ZdK9DgFBFIbhI25A5zZ07oAbkaiFOItVb6dVKpVK5ZZbbqlU0qnZ5ZUM1pyZr3ySyfkbkdZAm4w6ItJXL1ORtpr0pGthIkML',
  'MxlbmIsG8SHJAsgrC0vIDOxCuFGbJ2u4GMjdCweu3AIevz5cuQ0cv5BAoXrmqX+odQXXpvUcigNsG0ihhsobrgQ4eZACLzN+',
  'CXcDKeztgvIq2Jjr/gPRkqMzRIeKThkdO/wOb0A6BZAmqmoaAAAAAElFTkSuQmCC',
].join('');

export function faviconIco(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(ICO, 'base64'));
}
