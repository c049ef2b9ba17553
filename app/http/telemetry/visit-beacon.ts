import { createHash } from 'node:crypto';
import { VISITS_PATH } from './visit-endpoint.ts';

/**
 * The inline script that reports each visit of a page, also after client-side navigation. It does not run for users who
 * send a privacy signal, or in automated browsers. The first letter of a session id tells new from returning visitors. If
 * storage is disabled, it throws, and no visit is reported. The text is constant, so that the policy can have its hash.
 */
export const BEACON = `(()=>{
const n=navigator,h=history;
if(n.webdriver||n.doNotTrack==1||n.globalPrivacyControl)return;
let last;
const tell=()=>{
if(last==(last=location.pathname))return;
try{
const s=sessionStorage,l=localStorage,k='visit_session';
const id=s[k]||=(l.has_visited?'r':'n')+Math.random().toString(36).slice(2)+Date.now().toString(36);
l.has_visited=1;
n.sendBeacon('${VISITS_PATH}',new Blob([JSON.stringify({pathname:last,sessionId:id,screenWidth:screen.width,screenHeight:screen.height,language:n.language,isReturningVisitor:id[0]=='r'})],{type:'application/json'}))
}catch{}
};
for(const k of['pushState','replaceState']){const f=h[k];h[k]=function(){f.apply(h,arguments);tell()}}
addEventListener('popstate',tell);
addEventListener('load',tell)
})()`.replaceAll('\n', '');

export const BEACON_SOURCE = `'sha256-${createHash('sha256').update(BEACON).digest('base64')}'`;
