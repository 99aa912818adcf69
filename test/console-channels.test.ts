/** Have signals written into a channel in Slack or Teams, from the console alone, in a real browser. */
import { expect, test } from 'vitest'
import { createSlack, createTeams } from '../rig/incoming-webhooks/index.ts'
import { describeInBrowser } from './setup/chromium.ts'
import { useConsole } from './setup/console.ts'
import { prepare, useTestService } from './setup/harness.ts'
import { QUICK_WEBHOOKS, rename, watchNewCompany } from './setup/webhooks.ts'

const SLACK_PATH = '/services/T0/B0/secret-of-the-console-abcdef'
const TEAMS_HOST = 'prod-02.uksouth.logic.azure.com'
const TEAMS_PATH = '/workflows/0123456789/triggers/manual/paths/invoke?api-version=1&sig=secret-of-the-console-abcdef'

describeInBrowser('Channels', () => {
  const it = useTestService({ webhooks: QUICK_WEBHOOKS })
  const owner = prepare(() => it.openAccount())
  const { open } = useConsole(it, { owner })

  function playSlack() {
    const slack = createSlack(SLACK_PATH)
    it.web.setSite('hooks.slack.com', { serve: slack.serve })
    return slack
  }

  test('a newcomer is led to Slack, adds a channel for one list and its warnings, and sees a test message arrive', async () => {
    const slack = playSlack()
    const person = await it.openAccount()
    const { body: list } = await it.call('POST', '/v1/watchlists', { key: person.key, body: { name: 'Key customers' } })
    const { window, page } = await open(person, '/webhooks')
    await page.getByText('Send signals where your team reads them', { exact: false }).waitFor()
    await page.getByRole('link', { name: 'Slack', exact: true }).click()
    await page.getByRole('link', { name: 'api.slack.com/apps' }).waitFor()
    await window.expectGoodEverywhere('channels-slack', 'How to get the address in Slack')
    const types = await page.getByLabel('Events', { exact: true }).locator('option').allTextContents()
    expect([types[0], types.includes('Audit log'), types.includes('Finished jobs')]).toEqual([
      'All signals',
      false,
      false,
    ])

    await page.getByLabel('Address of the incoming webhook').fill(`https://hooks.slack.com${SLACK_PATH}`)
    await page.getByLabel('Companies', { exact: true }).selectOption('Key customers')
    await page.getByLabel('Severity').selectOption('Warnings only')
    await page.getByRole('button', { name: 'Add the destination' }).click()
    await page.getByRole('heading', { name: 'Slack is added' }).waitFor()
    await page.getByRole('button', { name: 'Send a test message' }).click()
    await page.getByText('Slack took it: look into the channel.').waitFor()
    expect([slack.messages.length, slack.refused]).toEqual([1, []])
    await page.getByText('All signals · list “Key customers” · warnings only', { exact: false }).waitFor()
    await window.expectGood('channels-added')
    const { data } = (await it.call('GET', '/v1/partner/webhooks', { key: person.key })).body
    expect(data).toMatchObject([{ kind: 'slack', list: list.id, severity_min: 'warning' }])

    await page.getByRole('link', { name: 'Open the destination' }).click()
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor()
    await page.getByRole('heading', { name: 'Channel in Slack' }).waitFor()
    await page.getByText('Warnings only').waitFor()
    expect(await page.getByText('Signing secret').count()).toBe(0)
    expect(await page.content()).not.toContain('secret-of-the-console')
    await window.expectGoodEverywhere('channel', 'Sends one test message now')
  })

  test('an address that Teams no longer has is refused at its field with what to do, and a workflow is added', async () => {
    const teams = createTeams(TEAMS_PATH)
    it.web.setSite(TEAMS_HOST, { serve: teams.serve })
    const person = await it.openAccount()
    const { window, page } = await open(person, '/webhooks?kind=teams')
    const address = page.getByLabel('Address of the workflow')
    await address.fill('https://contoso.webhook.office.com/webhookb2/x')
    await page.getByRole('button', { name: 'Add the destination' }).click()
    await page.getByText('Make a workflow in the channel.', { exact: false }).waitFor()
    expect(await address.getAttribute('aria-invalid')).toBe('true')
    window.expectRefused(400)
    await window.expectGoodEverywhere('channels-teams-refused', 'How to get the address in Teams')
    await address.fill(`https://${TEAMS_HOST}${TEAMS_PATH}`)
    await page.getByRole('button', { name: 'Add the destination' }).click()
    await page.getByRole('button', { name: 'Send a test message' }).click()
    await page.getByText('Teams took it: look into the channel.').waitFor()
    expect([teams.messages.length, teams.refused]).toEqual([1, []])
    teams.misbehave({ status: 400, text: 'WorkflowTriggerIsNotEnabled' })
    await page.getByRole('button', { name: 'Send a test message' }).click()
    await page.getByText('It responded with 400. Only a 2xx status counts as received.').waitFor()
    await page.locator('summary', { hasText: 'Response' }).first().click()
    await page.getByText('WorkflowTriggerIsNotEnabled').waitFor()
  })

  test('a channel that was removed in Slack is shown as disabled with the reason, and enabled once it is back', async () => {
    const slack = playSlack()
    const person = await it.openAccount()
    const company = await watchNewCompany(it, person)
    const body = { kind: 'slack', webhook_url: `https://hooks.slack.com${SLACK_PATH}`, signal_type: 'all' }
    const { id } = (await it.call('POST', '/v1/partner/webhooks', { key: person.key, body })).body
    slack.misbehave({ status: 404, text: 'no_service' })
    await rename(it, company)
    const shown = async () => (await it.call('GET', '/v1/partner/webhooks', { key: person.key })).body.data[0].status
    await expect.poll(shown).toBe('disabled')
    const { window, page } = await open(person, '/webhooks')
    await page.getByText('Slack says that this webhook was removed or its channel archived', { exact: false }).waitFor()
    await window.go(`/webhooks/${id}`)
    await page.getByText('A new address needs a new destination.', { exact: false }).waitFor()
    await window.expectGood('channel-disabled')
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByText('The destination is enabled.', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Replay', exact: true }).click()
    await expect.poll(() => slack.messages).toHaveLength(1)
  })
})
