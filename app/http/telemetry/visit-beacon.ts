/**
 * What a page runs in the browser to tell of a visit: on its first load, and when a page of the app takes its place without
 * one. It stands in the page itself, outside of React and its bundle: no request, and nothing that a page waits for. It is the
 * same text in every page, so the policy of pages names it by its hash.
 */
import { createHash } from 'node:crypto';
import { VISITS_PATH } from './visit-endpoint.ts';

/**
 * Who asks not to be followed is not, nor what steers a browser by itself. The letter before the session says whether its
 * browser had been here before it began. Storage that is switched off throws, and then nothing is told.
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
