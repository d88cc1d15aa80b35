import { Refusal } from '../domain/errors.ts';
import { toContentType, toFileName } from '../domain/file-name.ts';
import { toFilePurpose } from '../domain/file-purpose.ts';
import type { ReceivedFile } from '../flows/catalogue/keep-file.ts';
import type { Intake } from '../http/route.ts';
import { removeBytes, storeBytes, toPath } from '../providers/files/disk.ts';
import { toUploadName } from '../providers/files/file-store.ts';
import { findFile } from '../resources/files/files.queries.ts';
import { readPicture } from './read-picture.ts';

const FORM = 'content-type must be that of the file, whose raw bytes are the body: a form is not taken.';

/** The request's id becomes the file's, so that bytes and row find each other whichever is there first. */
export const fileIntake: Intake<ReceivedFile> = {
  sample: { name: 'cover.png', type: 'image/png' },
  async receive({ config, files }, { scope, requestId: id, headers, stream }) {
    const fileName = toFileName(toText(headers['x-file-name']));
    const contentType = toContentType(headers['content-type']);
    // A form's own lines around the file would be sold with it.
    if (contentType === 'multipart/form-data') throw new Refusal('unsupported_media_type', { message: FORM });
    const purpose = toFilePurpose(toText(headers['x-file-purpose']), contentType);
    if (Number(headers['content-length'] ?? 0) > config.uploadMaxBytes) throw new Refusal('body_too_large');
    const target = toPath(config.dataDir, { ...scope, id });
    const stored = await storeBytes(target, stream, config.uploadMaxBytes);
    try {
      // Nothing came: the handler says so.
      const isPicture = purpose === 'picture' && stored.sizeBytes > 0;
      const blurHash = isPicture ? await readPicture(target, contentType) : null;
      const { sha256 } = stored;
      if (stored.sizeBytes > 0)
        await files.put(toUploadName({ ...scope, id, sha256 }), { ...stored, path: target });
      return { fileName, contentType, purpose, ...stored, blurHash };
    } catch (error) {
      await removeBytes(target);
      throw error;
    }
  },

  async discard({ db, config, files }, { scope, requestId: id, received }) {
    // A transaction whose outcome was never told may have been committed: then the row needs its bytes.
    if (await findFile(db, scope, id)) return;
    await removeBytes(toPath(config.dataDir, { ...scope, id }));
    if (received) await files.remove(toUploadName({ ...scope, id, sha256: received.sha256 }));
  },
};

/** Of a header that came twice the first. */
function toText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
