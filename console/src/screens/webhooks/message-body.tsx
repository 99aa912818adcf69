/** Shows the body of a request or a response, folded. Ours is indented JSON; a receiver's stays as it came. */
export function MessageBody({ title, body }: { title: 'Request' | 'Response'; body: string }) {
  if (body.trim() === '') return null
  return (
    <details>
      <summary>{title}</summary>
      <pre className="answered" tabIndex={0} role="region" aria-label={`${title} body`}>
        {title === 'Request' ? indentJson(body) : body}
      </pre>
    </details>
  )
}

function indentJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
