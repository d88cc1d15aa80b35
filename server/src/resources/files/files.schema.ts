/** Uploaded files in the API. */
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema.ts';
import { pageAnswer, pageQuery } from '../paging.ts';
import {
  Answer,
  Component,
  Ms,
  Nullable,
  StringEnum,
  Text,
  TimeBoundTo,
  TimeInput,
  Uuid,
} from '../shapes.ts';

const FilePurpose = StringEnum(['picture', 'download'], {
  description: 'A picture is shown to anybody, a download leaves by links of its buyers alone.',
});

export const File = Answer('StoredFile', {
  object: StringEnum(['file']),
  id: Uuid(),
  fileName: Type.String(),
  size: Type.Integer({ description: 'Bytes.' }),
  type: Type.String({ description: 'The content type it was uploaded with.' }),
  purpose: FilePurpose,
  url: Nullable(
    Type.String({ description: 'Where a picture is shown; null for what leaves by signed links only.' }),
  ),
  blurHash: Nullable(Type.String({ description: 'A placeholder of a picture while it loads.' })),
});

export const UploadHeaders = Type.Object({
  'x-file-name': Text(2000, { description: 'The file’s name, percent-encoded as UTF-8.' }),
  'x-file-purpose': Type.Optional(
    StringEnum(['picture', 'download'], {
      description: 'Missing = by the type: PNG, JPEG, WebP, GIF and AVIF are pictures, all else downloads.',
    }),
  ),
});

export const FileData = Answer(null, { file: Component(File) });

export function toFile(row: Row<'files'>, publicUrl: string): Static<typeof File> {
  return {
    object: 'file',
    id: row.id,
    fileName: row.fileName,
    size: row.sizeBytes,
    type: row.contentType,
    purpose: row.purpose,
    url: row.purpose === 'picture' ? `${publicUrl}/files/${row.id}` : null,
    blurHash: row.blurHash,
  };
}

/** A row of the list. */
export const ListedFile = Answer('ListedFile', { ...File.properties, createdAt: Ms() });
export const ListFiles = Type.Object({
  ...pageQuery,
  purpose: Type.Optional(Type.Array(FilePurpose, { maxItems: 10 })),
  term: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name.' })),
  createdFrom: Type.Optional(TimeInput()),
  createdTo: Type.Optional(TimeBoundTo()),
  returnCount: Type.Optional(Type.Boolean()),
});
export const FilesData = Answer(null, { files: Type.Array(Component(ListedFile)), ...pageAnswer });

export function toListedFile(row: Row<'files'>, publicUrl: string): Static<typeof ListedFile> {
  return { ...toFile(row, publicUrl), createdAt: row.createdAt };
}
