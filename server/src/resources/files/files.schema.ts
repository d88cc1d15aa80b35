/** Uploaded files in the API. */
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema.ts';
import { Answer, Component, Nullable, StringEnum, Text, Uuid } from '../shapes.ts';

export const File = Answer('File', {
  object: StringEnum(['file']),
  id: Uuid(),
  fileName: Type.String(),
  size: Type.Integer({ description: 'Bytes.' }),
  type: Type.String({ description: 'The content type it was uploaded with.' }),
  url: Nullable(
    Type.String({ description: 'Where a picture is shown; null for what leaves by signed links only.' }),
  ),
  blurHash: Nullable(Type.String({ description: 'A placeholder of a picture while it loads.' })),
});

export const UploadHeaders = Type.Object({
  'x-file-name': Text(2000, { description: 'The file’s name, percent-encoded as UTF-8.' }),
});

export const FileData = Answer(null, { file: Component(File) });

/** Pictures that browsers show without running anything; SVG can carry scripts and is not among them. */
const PICTURE_TYPES = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);

export function isPicture(contentType: string): boolean {
  return PICTURE_TYPES.has(contentType);
}

export function toFile(row: Row<'files'>, publicUrl: string): Static<typeof File> {
  return {
    object: 'file',
    id: row.id,
    fileName: row.fileName,
    size: row.sizeBytes,
    type: row.contentType,
    url: isPicture(row.contentType) ? `${publicUrl}/files/${row.id}` : null,
    blurHash: row.blurHash,
  };
}
