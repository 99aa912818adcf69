/** The first bytes of what a receiver answered, folded away. */
export function ReceiverAnswer({ response }: { response: string }) {
  if (response.trim() === '') return null
  return (
    <details>
      <summary>What it answered</summary>
      <pre className="answered" tabIndex={0} role="region" aria-label="What the receiver answered">
        {response}
      </pre>
    </details>
  )
}
