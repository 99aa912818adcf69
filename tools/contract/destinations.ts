/** A destination from its registration to its end, and one that is refused. */
import type { Answer, Call } from './client.ts'
import type { Deployment } from './deployment.ts'
import { expectStatus, readNumber } from './expectations.ts'
import { readReceived } from './outside-world.ts'

export interface Destinations {
  registered: Answer
  listed: Answer
  deleted: Answer
  listedAfter: Answer
  /** The same address without TLS. */
  refused: Answer
}

const PATH = '/v1/partner/webhooks'

export async function registerAndDelete(call: Call, deployment: Deployment, token: string): Promise<Destinations> {
  const { outsideUrl, webhookUrl } = deployment
  const address = outsideUrl ? (await readReceived(outsideUrl)).receiver_url : webhookUrl
  const register = (url: string) =>
    call('POST', PATH, { token, body: { webhook_url: url, signal_type: 'charge_registered' } })
  const registered = expectStatus(await register(address), 201)
  const listed = await call('GET', PATH, { token })
  return {
    registered,
    listed,
    deleted: await call('DELETE', `${PATH}/${readNumber(registered, 'id')}`, { token }),
    listedAfter: await call('GET', PATH, { token }),
    refused: await register(address.replace('https:', 'http:')),
  }
}
