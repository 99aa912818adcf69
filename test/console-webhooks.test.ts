/** Have events sent to your own server, see what became of them, and mend it: two screens of the console, in a real browser. */
import { beforeAll, expect, test } from 'vitest'
import { until } from '../rig/until.ts'
import { Receiver } from '../rig/web/index.ts'
import { SIGNAL_TYPES } from '../src/signals/index.ts'
import { describeInBrowser } from './setup/chromium.ts'
import { useConsole } from './setup/console.ts'
import { prepare, type TestAccount, useTestService } from './setup/harness.ts'
import { isSigned, QUICK_WEBHOOKS, rename, type Subscribed, subscribe } from './setup/webhooks.ts'

const OUTSIDE = 'http://localhost:4002'
const FAILING = { kind: 'status', status: 500, body: 'Traceback: no such table "events"' } as const

describeInBrowser('Webhooks', () => {
  const it = useTestService({
    developmentPages: [{ name: 'Outside world', url: OUTSIDE }],
    webhooks: { ...QUICK_WEBHOOKS, retrySeconds: [0, 0.2], timeoutSeconds: 2 },
  })
  const newcomer = prepare(() => it.openAccount())
  const owner = prepare(() => it.openAccount())
  const { open, testScreen } = useConsole(it, { newcomer, owner })
  beforeAll(async () => {
    const working = await subscribe(it, { account: owner, behaviour: { kind: 'fails_first', count: 1 } })
    await rename(it, working.company)
    await working.receiver.waitFor(2)
    await disabled(owner)
  })

  async function openDestination(to: Subscribed, account: TestAccount) {
    const opened = await open(account, `/webhooks/${to.id}`)
    await opened.page.getByRole('heading', { name: 'Deliveries' }).waitFor()
    return opened
  }

  const stateOf = async ({ account, id }: Subscribed) => {
    const { data } = (await it.call('GET', '/v1/partner/webhooks', { key: account.key })).body
    return (data as Array<{ id: number; status: string }>).find((each) => each.id === id)?.status
  }

  /** A destination that answered 410 and so was disabled. */
  async function disabled(account: TestAccount): Promise<Subscribed> {
    const to = await subscribe(it, { account, behaviour: { kind: 'status', status: 410 } })
    await rename(it, to.company)
    await until(async () => (await stateOf(to)) === 'disabled', 'the destination was not disabled')
    return to
  }

  testScreen({
    name: 'webhooks',
    path: '/webhooks',
    call: '/v1/partner/webhooks',
    emptySays: 'No destinations yet',
    fullSays: 'It responded with 410 (gone), so we stopped.',
  })
  // The first destination of this service, whose event was accepted at the second attempt.
  testScreen({
    name: 'destination',
    path: '/webhooks/1',
    call: '/v1/partner/webhooks/1/deliveries',
    fullSays: 'It responded with 500. Only a 2xx status counts as received.',
  })

  test('a newcomer finds a receiver, adds it, keeps the secret, and what arrives verifies with the code shown', async () => {
    const person = await it.openAccount()
    const receiver = new Receiver()
    it.web.setSite('first-hooks.co.uk', { receiver })
    const { window, page } = await open(person, '/webhooks')
    const outside = page.getByRole('link', { name: 'the simulated world' })
    expect(await outside.getAttribute('href')).toBe(OUTSIDE)
    const types = await page.getByLabel('Events', { exact: true }).locator('option').allTextContents()
    // All of them together, each by itself, finished resolutions and the audit log.
    expect([types[0], types.length]).toEqual(['All signals', SIGNAL_TYPES.length + 3])

    await page.getByLabel('Address').fill('https://127.0.0.1/hooks')
    await page.getByRole('button', { name: 'Add the destination' }).click()
    await page.getByText('Must be a name that leads to a public address', { exact: false }).waitFor()
    expect(await page.getByLabel('Address').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Address').fill('https://first-hooks.co.uk/in')
    window.complaints.length = 0
    await page.getByRole('button', { name: 'Add the destination' }).click()
    await page.getByText('We show it only once.', { exact: false }).waitFor()
    const secret = (await page.getByRole('region', { name: 'the signing secret' }).textContent()) ?? ''
    expect(secret).toMatch(/^whsec_/)
    await window.expectGood('webhooks-added')
    const code = (await page.getByRole('region', { name: 'Node code that verifies an event' }).textContent()) ?? ''

    await page.getByRole('link', { name: 'send a test event' }).click()
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await page.getByText('Received', { exact: true }).waitFor()
    await page.getByText('It responded with 200.').waitFor()
    const [request] = receiver.received
    if (!request) throw new Error('nothing arrived')
    const { isGenuine } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
      isGenuine: (headers: object, rawBody: Buffer, secret: string) => boolean
    }
    expect(isGenuine(request.headers, request.rawBody, secret)).toBe(true)
    expect(isGenuine(request.headers, Buffer.from(`${request.body} `), secret)).toBe(false)
    expect(isGenuine(request.headers, request.rawBody, `${secret}x`)).toBe(false)
    await page.goBack()
    await page.getByRole('link', { name: 'https://first-hooks.co.uk/in' }).waitFor()
    expect(await page.getByText(secret).count()).toBe(0)
  })

  test('a test event that fails says why at once, with what the receiver answered', async () => {
    const person = await it.openAccount()
    const to = await subscribe(it, { account: person, behaviour: FAILING })
    const { window, page } = await openDestination(to, person)
    await page.getByText('No events sent yet', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await page.getByText('Not received').waitFor()
    await page.getByText('It responded with 500. Only a 2xx status counts as received.').first().waitFor()
    await page.locator('summary', { hasText: 'Response' }).first().click()
    await page.getByText(FAILING.body).first().waitFor()
    await page.getByText('We send a test event only once.').waitFor()
    expect(await page.getByRole('button', { name: /^Send again evt_/ }).count()).toBe(0)
    await window.expectGood('destination-test-failed')
    to.receiver.behave({ kind: 'reset' })
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await page.getByText('It closed the connection before it responded.').first().waitFor()
  })

  test('one event is sent again from the log, with its own id, and the log shows it by itself', async () => {
    const person = await it.openAccount()
    const to = await subscribe(it, { account: person })
    const { page } = await openDestination(to, person)
    await rename(it, to.company)
    await page.getByRole('button', { name: /^Send again evt_/ }).click()
    await page.getByText('Sending the event again.').waitFor()
    const received = await to.receiver.waitFor(2)
    expect(new Set(received.map(({ headers }) => headers['x-webhook-id'])).size).toBe(1)
    await page.getByText('Replay', { exact: true }).first().waitFor()
  })

  test('a disabled destination is enabled and gets what it missed; nothing of it is sent before', async () => {
    const person = await it.openAccount()
    const to = await disabled(person)
    await rename(it, to.company)
    to.receiver.behave({ kind: 'ok' })
    const before = to.receiver.arrived
    const { page } = await openDestination(to, person)
    await page.getByText('It responded with 410 (gone), so we stopped.', { exact: false }).waitFor()
    expect(await page.getByRole('button', { name: 'Replay', exact: true }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByText('The destination is enabled.', { exact: false }).waitFor()
    await page.getByText('Active', { exact: true }).waitFor()
    expect(to.receiver.arrived).toBe(before)
    await page.getByRole('button', { name: 'Replay', exact: true }).click()
    await page.getByText(/^Sending [12] events? again\.$/).waitFor()
    await to.receiver.waitFor(before + 1)
    await page.getByLabel('Happened since').fill('2026-01-02T10:00')
    await page.getByLabel('Happened before').fill('2026-01-01T10:00')
    await page.getByRole('button', { name: 'Replay', exact: true }).click()
    await page.getByText('must be after `since`', { exact: false }).waitFor()
  })

  test('a secret is replaced: the new one is shown once, and both sign for a day', async () => {
    const person = await it.openAccount()
    const to = await subscribe(it, { account: person })
    const { window, page } = await openDestination(to, person)
    await page.getByRole('button', { name: 'Replace the secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Replace the secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Replace the secret' }).click()
    const secret = (await page.getByRole('region', { name: 'the new signing secret' }).textContent()) ?? ''
    await page.getByText('also sign with the old secret', { exact: false }).waitFor()
    await window.expectGood('destination-rotated')
    await page.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByText(secret).waitFor({ state: 'hidden' })
    await rename(it, to.company)
    const [request] = await to.receiver.waitFor(1)
    if (!request) throw new Error('nothing arrived')
    expect([isSigned(request, secret), isSigned(request, to.secret, 'x-webhook-signature-previous')]).toEqual([
      true,
      true,
    ])
  })

  test('deleting asks first, and then nothing is left of it', async () => {
    const person = await it.openAccount()
    const to = await subscribe(it, { account: person })
    const { window, page } = await openDestination(to, person)
    await page.getByRole('button', { name: 'Delete the destination' }).click()
    await window.expectGood('destination-delete')
    await page.keyboard.press('Escape')
    expect(await stateOf(to)).toBe('active')
    await page.getByRole('button', { name: 'Delete the destination' }).click()
    await page.getByRole('button', { name: 'Delete it' }).click()
    await page.getByText('No destinations yet').waitFor()
    expect(await stateOf(to)).toBeUndefined()
    await window.go(`/webhooks/${to.id}`)
    await page.getByText('There is no such destination').waitFor()
  })

  test('the log shows what was sent and what came back, and only failures where they are wanted', async () => {
    const person = await it.openAccount()
    const to = await subscribe(it, { account: person })
    await rename(it, to.company)
    await to.receiver.waitFor(1)
    const { window, page } = await openDestination(to, person)
    const entries = page.locator('.attempts > li')
    await expect.poll(() => entries.count()).toBe(1)
    await entries.first().getByText('Request').click()
    await page.getByRole('region', { name: 'Request body' }).getByText('company_number').first().waitFor()
    await window.expectGood('webhooks-request')
    await page.getByRole('radio', { name: 'Failed' }).check()
    await page.getByText('No attempt failed.').waitFor()
    await page.getByRole('radio', { name: 'Delivered' }).check()
    await expect.poll(() => entries.count()).toBe(1)
  })

  test('a long log is read page by page', async () => {
    const person = await it.openAccount()
    const to = await subscribe(it, { account: person })
    for (let count = 0; count < 23; count += 1) await rename(it, to.company)
    await to.receiver.waitFor(23)
    const logged = async () => (await to.see('GET', '/deliveries?limit=100')).body.data.length as number
    await expect.poll(logged).toBe(23)
    const { page } = await openDestination(to, person)
    const entries = page.locator('.attempts > li')
    await expect.poll(() => entries.count()).toBe(20)
    await page.getByRole('button', { name: 'Older' }).click()
    await expect.poll(() => entries.count()).toBe(3)
    await page.getByRole('button', { name: 'Newer' }).click()
    await expect.poll(() => entries.count()).toBe(20)
  })
})
