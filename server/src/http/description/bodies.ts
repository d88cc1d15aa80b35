/** R1 and R8: each body has a name, and is asked for only where it holds something that is. */
import { type Description, jsonOf, listDescribed, refTo } from './document.ts';

export function nameBodies({ paths, components }: Description): void {
  for (const { one } of listDescribed(paths)) {
    const json = jsonOf(one.requestBody);
    if (!one.requestBody || !json?.schema || json.schema.$ref) continue;
    const { examples: _shown, ...schema } = json.schema;
    const name = toBodyName(one.operationId);
    components.schemas[name] = schema;
    json.schema = refTo(name);
    one.requestBody.required = (schema.required ?? []).length > 0;
  }
}

export const toBodyName = (operationId: string) =>
  `${operationId[0]?.toUpperCase()}${operationId.slice(1)}Body`;
