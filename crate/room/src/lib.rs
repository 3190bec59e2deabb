//! A party in a room: joining, roster, acknowledgements, rounds, ledger fence.
