/** docs/openapi.json, as the rules of `npm run check` read it. */
export * from '../server/src/http/description/document.ts';
