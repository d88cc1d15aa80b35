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
    'The raw bytes are the body. A picture (PNG, JPEG, WebP, GIF) has a `url` to show it; any file can be ' +
    'the download of an offer, and then leaves by signed links only.',
  headers: UploadHeaders,
  data: FileData,
  intake: fileIntake,
  handler: async ({ ctx, tx, scope, body, requestId }) => {
    const row = await keepFile(ctx, scope, { tx, id: requestId, received: body });
    return { file: toFile(row, ctx.config.publicUrl) };
  },
});

export const fileRoutes: Route[] = [uploadFile];
