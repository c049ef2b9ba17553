import { from, OBSERVED, type StockPhrase } from './phrases.ts';

export const STOCK_EN: StockPhrase[] = [
  ...from(
    'Plain English Campaign, poll of the most irritating phrases, 2004',
    `at the end of the day
    at this moment in time
    with all due respect
    think* outside the box
    push* the envelope
    touch base
    blue sky thinking
    ballpark figure
    going forward
    it's not rocket science
    the fact of the matter is
    singing from the same hymn sheet
    move the goalposts
    value-added`,
  ),
  ...from(
    'Wikipedia, Signs of AI writing',
    `a testament to
    rich tapestry
    delve into
    delves into
    delving into
    in the heart of
    plays a crucial role
    plays a vital role
    plays a pivotal role
    marks a pivotal moment
    marking a pivotal moment
    ever-evolving
    ever-changing landscape
    the landscape of
    valuable insights
    key turning point
    it's important to note
    it is important to note
    highlights the importance of
    underscores the importance
    fosters a sense
    fostering a culture
    in summary,
    in conclusion,`,
  ),
  ...from(
    'GetVoIP, business clichés most used in the world',
    `to the next level
    hit the ground running
    game changer*
    game-changer*
    game-changing
    low-hanging fruit
    move the needle
    moves the needle
    paradigm shift
    synerg*`,
  ),
  ...from(
    OBSERVED,
    `in today's fast-paced
    in today's digital
    in today's competitive
    in today's rapidly
    in an era where
    in a world where
    fast-paced world
    cutting-edge
    let's dive in
    dive deep into
    deep dive into
    unlock the power
    unlock the potential
    unlock your
    unlocking the
    unleash*
    harness the power
    harnessing the power
    elevate your
    supercharge*
    revolutioniz*
    revolutionis*
    navigate the complexities
    navigating the complexities
    embark on a journey
    seamless*
    holistic approach
    stay ahead of the curve
    ahead of the curve
    the possibilities are endless
    the power of
    embrace change
    embrace the
    at its core
    the key to success
    recipe for success
    whether you're a seasoned
    buckle up
    make no mistake`,
  ),
  ...from(
    'the manner that parodies of LinkedIn imitate',
    `thrilled to announce
    excited to announce
    excited to share
    thrilled to share
    humbled and honored
    humbled and honoured
    humbled to
    here's the thing
    let that sink in
    read that again
    hot take
    unpopular opinion
    here's what i learned
    here's what nobody tells you
    nobody is talking about
    most people get this wrong
    the best part?
    the result?
    the truth?
    spoiler alert
    this changed everything
    and that's okay
    steal this`,
  ),
  ...from(
    'evidence and clients that models call upon without having any, observed',
    `studies show
    studies prove
    research shows
    research proves
    experts agree
    surveys show
    a client of ours
    hundreds of happy
    thousands of happy
    every third company`,
  ),
];
