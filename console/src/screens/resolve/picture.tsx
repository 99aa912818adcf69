import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Evidence } from '../../api/bodies.ts'
import { ApiProblem, fetchFile } from '../../api/client.ts'
import { Problem } from '../../ui/parts.tsx'

/** The quoted words on their pages, as a browser shows them. Loaded when a person asks for them. */
export function Picture({ resolutionId, items }: { resolutionId: string; items: Evidence[] }) {
  const [isOpen, setOpen] = useState(false)
  const pages = [...new Map(items.map(({ content_sha256: sha256, url }) => [sha256, url]))]
  return (
    <details className="pictures" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>See the words on {pages.length === 1 ? 'the page' : 'the pages'}</summary>
      {isOpen &&
        pages.map(([sha256, url]) => (
          <PagePicture key={sha256} resolutionId={resolutionId} sha256={sha256} url={url} />
        ))}
    </details>
  )
}

function PagePicture({ resolutionId, sha256, url }: { resolutionId: string; sha256: string; url: string }) {
  const picture = useQuery({
    queryKey: ['picture', resolutionId, sha256],
    queryFn: ({ signal }) => readPicture(resolutionId, sha256, signal),
    retry: false,
  })
  return (
    <figure>
      <figcaption className="small soft">{url}</figcaption>
      {picture.isPending && <p className="soft">Loading the picture …</p>}
      {picture.isError && <Problem error={picture.error} />}
      {picture.data === null && (
        <p className="soft">
          There is no picture of this page. Pictures are made some minutes after the answer, where this service has a
          browser for it.
        </p>
      )}
      {picture.data && <img src={picture.data} alt={`The quoted words, marked on ${url} as it was read`} />}
    </figure>
  )
}

/** As a data address: the policy of the console allows no other picture that a program made. */
async function readPicture(resolutionId: string, sha256: string, signal: AbortSignal): Promise<string | null> {
  try {
    const path = `/v1/resolutions/${encodeURIComponent(resolutionId)}/picture`
    return await toDataAddress(await fetchFile(path, { query: { page_sha256: sha256 }, signal }))
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return null
    throw error
  }
}

async function toDataAddress(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return `data:image/png;base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`
}
