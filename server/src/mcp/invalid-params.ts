/** Parameters that do not fit their method: what speaks the protocol calls them a fault of its own. */

const INTERNAL_ERROR = -32_603;
const INVALID_PARAMS = -32_602;

interface Issue {
  path: Array<string | number>;
}

/** As it came, but for an answer whose error is a list of what is wrong with the message: that is the caller's to mend. */
export async function nameParams(response: Response): Promise<Response> {
  if (!response.headers.get('content-type')?.startsWith('application/json')) return response;
  const { status, headers } = response;
  const text = await response.text();
  const body: unknown = text === '' ? null : JSON.parse(text);
  const { id, error } = (body ?? {}) as { id?: unknown; error?: { code?: unknown; message?: unknown } };
  const issues = error?.code === INTERNAL_ERROR ? readIssues(error.message) : null;
  if (issues === null) return new Response(text, { status, headers });
  const paths = [...new Set(issues.map(({ path }) => path.join('.')))].join(', ');
  const message = `Invalid params: ${paths} is missing, or of another type than the method asks for.`;
  return Response.json({ jsonrpc: '2.0', id, error: { code: INVALID_PARAMS, message } }, { status });
}

function readIssues(message: unknown): Issue[] | null {
  if (typeof message !== 'string' || !message.startsWith('[')) return null;
  try {
    const issues = JSON.parse(message) as Issue[];
    return issues.length > 0 && issues.every(({ path }) => Array.isArray(path)) ? issues : null;
  } catch {
    return null;
  }
}
