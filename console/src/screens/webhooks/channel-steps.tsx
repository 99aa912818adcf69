import type { WebhookDestination } from '../../api/bodies.ts'

type Kind = WebhookDestination['kind']

/** How a person gets the address that the form asks for. */
export function ChannelSteps({ kind }: { kind: Exclude<Kind, 'webhook'> }) {
  return kind === 'slack' ? <SlackSteps /> : <TeamsSteps />
}

function SlackSteps() {
  return (
    <details open>
      <summary>How to get the address in Slack</summary>
      <ol className="channel-steps small">
        <li>
          Open{' '}
          <a href="https://api.slack.com/apps" target="_blank" rel="noreferrer">
            api.slack.com/apps
          </a>
          , choose <strong>Create New App</strong> and then <strong>From scratch</strong>. Call it Nameplate and choose
          your workspace.
        </li>
        <li>
          Choose <strong>Incoming Webhooks</strong> in the menu, and switch <strong>Activate Incoming Webhooks</strong>{' '}
          on.
        </li>
        <li>
          Choose <strong>Add New Webhook</strong>, choose the channel, and allow it.
        </li>
        <li>
          Copy the address, which begins with <code>https://hooks.slack.com/services/</code>, and paste it here.
        </li>
      </ol>
    </details>
  )
}

function TeamsSteps() {
  return (
    <details open>
      <summary>How to get the address in Teams</summary>
      <ol className="channel-steps small">
        <li>
          Point at the channel, choose the three dots and then <strong>Workflows</strong>.
        </li>
        <li>
          Choose the template <strong>Send webhook alerts to a channel</strong>, and confirm the account, the team and
          the channel.
        </li>
        <li>
          Choose <strong>Save</strong>, and copy the address that Teams shows.
        </li>
        <li>
          Paste it here. It ends with <code>sig=</code> and a long code. Incoming webhooks of connectors no longer work
          in Teams.
        </li>
      </ol>
    </details>
  )
}
