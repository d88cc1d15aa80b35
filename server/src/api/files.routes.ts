/** Files: pictures of the catalogue, and what buyers download. */

import { keepFile } from '../flows/catalogue/keep-file.ts';
import { type Route, upload } from '../http/route.ts';
import { FileData, toFile, UploadHeaders } from '../resources/files/files.schema.ts';
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

export const fileRoutes: Route[] = [uploadFile];
