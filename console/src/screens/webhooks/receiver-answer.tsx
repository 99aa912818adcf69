/** Shows the first bytes of the response of a receiver, folded. */
export function ReceiverAnswer({ response }: { response: string }) {
  if (response.trim() === '') return null
  return (
    <details>
      <summary>Response</summary>
      <pre className="answered" tabIndex={0} role="region" aria-label="Response of the receiver">
        {response}
      </pre>
    </details>
  )
}
