import { describeFault, FAULT_GROUPS, type FaultKind } from '#sandbox/server/fault-kinds.ts';
import type { ActiveFault } from '#sandbox/server/faults.ts';
import { html } from '#sandbox/server/html.ts';
import type { State } from '#sandbox/state.ts';
import { layout } from './layout.ts';

function activeFault(fault: ActiveFault) {
  const details = [
    fault.times === null ? 'until switched off' : `${fault.times} more`,
    fault.delayMs === null ? null : `${fault.delayMs} ms`,
    fault.match === null ? null : `only where “${fault.match}” stands`,
    `struck ${fault.struck}`,
  ];
  return html`<div class="kind"><div><code>${fault.kind}</code> <span class="pill">on</span>
<p>${describeFault(fault.kind)}<br>${details.filter(Boolean).join(' · ')}</p></div>
<form method="post" action="/faults"><button name="remove" value="${fault.id}">Switch off</button></form></div>`;
}

function options(kinds: FaultKind[], chosen: string) {
  return kinds.map((kind) => html`<option ${kind === chosen ? html`selected` : null}>${kind}</option>`);
}

function group({ title, kinds }: { title: string; kinds: FaultKind[] }) {
  const rows = kinds.map(
    (kind) => html`<div class="kind"><div><code>${kind}</code><p>${describeFault(kind)}</p></div>
<form method="post" action="/faults"><input type="hidden" name="kind" value="${kind}"><button name="times" value="1">Once</button>
<button name="times" value="">On</button></form></div>`,
  );
  return html`<details><summary>${title} (${kinds.length})</summary><div class="card">${rows}</div></details>`;
}

export function faultsPage(
  state: State,
  problem: string | null = null,
  form = new URLSearchParams(),
): string {
  const list =
    state.faults.length > 0
      ? state.faults.map(activeFault)
      : html`<p class="small">Nothing is broken: <span class="pill ok">all well</span></p>`;
  return layout({
    title: 'Faults',
    path: '/faults',
    body: html`<h1>Faults</h1><p class="lead">Break a part of the outside world and watch how the application takes it.</p>
<div class="card"><h2 style="margin-top:0">Switched on</h2>${list}
${state.faults.length > 1 ? html`<form method="post" action="/faults" class="buttons"><button name="remove" value="all">Switch all off</button></form>` : null}</div>
<form class="card" method="post" action="/faults"><h2 style="margin-top:0">Switch on with details</h2>
${problem ? html`<p class="flag" role="alert">${problem}</p>` : null}
<div class="fields"><label>Fault<select name="kind">${FAULT_GROUPS.map(({ title, kinds }) => html`<optgroup label="${title}">${options(kinds, form.get('kind') ?? '')}</optgroup>`)}</select></label>
<label>How many times<input name="times" inputmode="numeric" placeholder="until switched off" value="${form.get('times') ?? ''}"></label>
<label>Delay in milliseconds<input name="delayMs" inputmode="numeric" placeholder="the fault’s own" value="${form.get('delayMs') ?? ''}"></label>
<label>Only where this stands<input name="match" placeholder="post, prompt or address" value="${form.get('match') ?? ''}"></label></div>
<button class="primary">Switch on</button></form>${FAULT_GROUPS.map(group)}`,
  });
}
