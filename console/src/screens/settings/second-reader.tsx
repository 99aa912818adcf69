import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AccountSettings } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Problem } from '../../ui/parts.tsx'
import { useToast } from '../../ui/toast.tsx'

const PATH = '/v1/account/settings'
const KEY = ['settings']

/** Lets an account refuse that the language model is asked for it. */
export function SecondReader() {
  const settings = useQuery({ queryKey: KEY, queryFn: () => callApi<AccountSettings>('GET', PATH) })
  return (
    <Card id="second-reader" title="Second reader">
      <Loaded query={settings} what="your settings">
        {(body) => <ReaderChoice settings={body} />}
      </Loaded>
    </Card>
  )
}

function ReaderChoice({ settings }: { settings: AccountSettings }) {
  const queries = useQueryClient()
  const showToast = useToast()
  const change = useMutation({
    mutationFn: (accepts: boolean) => callApi<AccountSettings>('PATCH', PATH, { body: { second_reader: accepts } }),
    onSuccess: (now) => {
      queries.setQueryData(KEY, now)
      showToast(now.second_reader ? 'The second reader may be asked for you.' : 'No language model is asked for you.')
    },
  })
  const accepts = change.isPending ? change.variables : settings.second_reader
  const model = settings.second_reader_model
  return (
    <div className="stack-small">
      <label className="row">
        <input
          type="checkbox"
          checked={accepts}
          disabled={change.isPending}
          onChange={(event) => change.mutate(event.target.checked)}
        />
        <span>For my requests, let a language model read what our rules leave open</span>
      </label>
      <p className="soft">
        {model === null
          ? 'This service asks no language model at present.'
          : `Model: ${model}. It gets public words of the site and of the register, never your name or data. We use only what we find on the page. Answers are shared: one may have been decided by the model when another account asked, and says so.`}
      </p>
      {change.isError && <Problem error={change.error} />}
    </div>
  )
}
