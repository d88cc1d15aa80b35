/** What went wrong, said at once to who hears the page; nothing where nothing did. */
export function ErrorNotice({ text }: { text: string | null | undefined }) {
  if (!text) return null;
  return (
    <p className="notice danger" role="alert">
      {text}
    </p>
  );
}
