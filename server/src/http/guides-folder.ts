import { fileURLToPath } from 'node:url';

/** Beside the server's folder as source, as build and as package. At this depth of folders, as the programs are built into one. */
export const DOCS_FOLDER = fileURLToPath(new URL('../../../docs/', import.meta.url));
export const GUIDES_FOLDER = `${DOCS_FOLDER}guides/`;
export const RUNBOOKS_FOLDER = `${DOCS_FOLDER}runbooks/`;
