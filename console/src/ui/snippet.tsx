import { CopyButton } from './copy-button.tsx'

/** Text to copy: a command, an address, a file. */
export function Snippet({ text, what }: { text: string; what: string }) {
  return (
    <div className="snippet">
      <pre tabIndex={0} role="region" aria-label={what}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  )
}
