/** Shows what is known beside the main thing in one small line; nothing where nothing is. */
export function Small({ parts }: { parts: Array<string | false | null | undefined> }) {
  const text = parts.filter(Boolean).join(' · ')
  return text === '' ? null : <p className="small soft">{text}</p>
}
