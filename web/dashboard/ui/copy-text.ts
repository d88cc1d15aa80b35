/** Puts a text on the clipboard, as the answer to a press; rejects where the browser does not let it. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // Over plain http beyond this machine there is no clipboard to write to, but a page may still copy.
  let isCopied = false;
  const put = (event: ClipboardEvent) => {
    event.preventDefault();
    event.clipboardData?.setData('text/plain', text);
    isCopied = event.clipboardData !== null;
  };
  document.addEventListener('copy', put);
  document.execCommand('copy');
  document.removeEventListener('copy', put);
  if (!isCopied) throw new Error('the browser did not let the page copy');
}
