import type { ClientDocuments } from './client-documents.ts'

/** `fetch` for documents that a stranger's client id points to: public https addresses only, small, soon, no redirects. */
export function createGuardedFetch(documents: ClientDocuments) {
  return async (input: string | URL | Request): Promise<Response> => {
    const address = input instanceof Request ? input.url : String(input)
    const answer = await documents.get(address)
    const { 'content-encoding': _, 'content-length': __, ...headers } = answer.headers
    return new Response(new Uint8Array(answer.body), { status: answer.status, headers })
  }
}
