/** Files: pictures of the catalogue, and what buyers download. */

import { keepFile } from '../flows/catalogue/keep-file.ts';
import { type Route, read, upload } from '../http/route.ts';
import { countFiles, listFiles } from '../resources/files/files.queries.ts';
import {
  FileData,
  FilesData,
  ListFiles,
  toFile,
  toListedFile,
  UploadHeaders,
} from '../resources/files/files.schema.ts';
import { countMatches, cutPage, toPage } from '../resources/paging.ts';
import { fileIntake } from './files.intake.ts';

const uploadFile = upload({
  method: 'POST',
  path: '/v0/files/upload',
  operationId: 'uploadFile',
  tag: 'files',
  summary: 'Upload a file',
  description:
    'The raw bytes are the body. A picture (PNG, JPEG, WebP, GIF, AVIF; at most 16 megapixels) has a `url` at which ' +
    'anybody sees it; a download can be sold by an offer, and leaves by signed links of its buyers alone.',
  headers: UploadHeaders,
  data: FileData,
  intake: fileIntake,
  handler: async ({ ctx, tx, scope, body, requestId }) => {
    const row = await keepFile(ctx, scope, { tx, id: requestId, received: body });
    return { file: toFile(row, ctx.config.publicUrl) };
  },
});

const list = read({
  method: 'GET',
  path: '/v0/files/list',
  operationId: 'listFiles',
  tag: 'files',
  needsSecret: true,
  summary: 'List uploaded files, newest first',
  query: ListFiles,
  data: FilesData,
  handler: async ({ db, scope, query, ctx }) => {
    const page = toPage(query);
    const { returnCount, purpose: purposes, ...given } = query;
    const filter = { ...given, purposes };
    const rows = await listFiles(db, scope, { filter, page });
    const cut = cutPage(rows, page, (row) => ({ value: row.createdAt, id: row.id }));
    const asked = { page, shown: cut, returnCount };
    const count = await countMatches(asked, (limit) => countFiles(db, scope, { filter, limit }));
    return { files: cut.rows.map((row) => toListedFile(row, ctx.config.publicUrl)), count, ...cut.page };
  },
});

export const fileRoutes: Route[] = [list, uploadFile];
