//! p
pub mod top; pub mod record;
