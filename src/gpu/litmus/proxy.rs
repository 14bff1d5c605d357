//! Proxies: ways to memory that fences put in order (PTX ISA, section 8.6; Lustig, Cooksey and Giroux, "Mixed-Proxy
//! Extensions for the NVIDIA PTX Memory Consistency Model", ISCA 2022).
//!
//! The axioms judge tests with proxies. No memory system here has such ways, so none runs them.

use super::instruction::flattened;
use super::{Address, Kind, Test};

/// A way to memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Proxy {
    /// `ld`, `st`, `atom`
    #[default]
    Generic,
    /// `suld`, `sust`
    Surface,
    /// `tex`
    Texture,
    /// `ld.const`
    Constant,
}

/// The way of an access: a proxy and an address, of which a location may have several.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Via {
    /// The proxy.
    pub proxy: Proxy,
    /// The alias, from 1; 0 is the location's own name.
    pub alias: usize,
}

/// Accesses that a proxy fence orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProxyFence {
    /// Accesses to one location by several addresses.
    Alias,
    /// Accesses by the generic proxy and by another.
    Of(Proxy),
}

/// Names of proxies in instructions.
const NAMES: [(&str, Proxy); 3] =
    [("surface", Proxy::Surface), ("texture", Proxy::Texture), ("constant", Proxy::Constant)];

impl Proxy {
    fn named(name: &str) -> Option<Self> {
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, proxy)| *proxy)
    }
}

/// Takes the proxy out of the name of an instruction: `ld.surface` is `ld` by the surface proxy.
pub(super) fn without_proxy(mnemonic: &str) -> Result<(String, Proxy), String> {
    let opcode = mnemonic.split('.').next().unwrap_or_default();
    let (proxies, words): (Vec<_>, Vec<_>) =
        mnemonic.split('.').partition(|word| Proxy::named(word).is_some());
    match proxies[..] {
        [] => Ok((mnemonic.to_string(), Proxy::Generic)),
        [name] if opcode == "ld" || opcode == "st" && name == "surface" => {
            let strong = ["volatile", "relaxed", "acquire", "release"];
            if words.iter().any(|word| strong.contains(word)) {
                return Err(format!("{mnemonic}: accesses by proxies are weak"));
            }
            Ok((words.join("."), Proxy::named(name).unwrap_or_default()))
        }
        _ => {
            Err(format!("{mnemonic}: accepted are ld.surface, ld.texture, ld.constant, st.surface"))
        }
    }
}

/// `fence.proxy.alias`; none for another instruction.
pub(super) fn proxy_fence(mnemonic: &str) -> Option<Result<ProxyFence, String>> {
    let name = mnemonic.strip_prefix("fence.proxy.")?;
    Some(match (name, Proxy::named(name)) {
        ("alias", _) => Ok(ProxyFence::Alias),
        (_, Some(proxy)) => Ok(ProxyFence::Of(proxy)),
        _ => {
            let known = "fence.proxy.alias, .surface, .texture, .constant";
            Err(format!("{mnemonic}: accepted are {known}"))
        }
    })
}

impl Test {
    /// The first line that only the axioms can judge.
    pub fn line_with_proxy(&self) -> Option<usize> {
        let is_other = |address: &Address| address.via != Via::default();
        let needs = |kind: &Kind| match kind {
            Kind::ProxyFence(_) => true,
            Kind::Load(_, _, address)
            | Kind::Store(_, address, _)
            | Kind::Atomic(_, _, _, address, _) => is_other(address),
            _ => false,
        };
        let mut all = self.threads.iter().flat_map(|thread| flattened(thread));
        all.find(|it| needs(&it.kind)).map(|it| it.line)
    }
}
